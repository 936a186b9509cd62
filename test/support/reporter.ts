import type { TestModule, TestRunEndReason } from "vitest/node";
import { DefaultReporter } from "vitest/node";

/**
 * Vitest's own reporter, then what was skipped and why, then a last line `N passed, N failed` that a machine can read. A file
 * that could not be loaded and an error outside any test are failures too.
 */
export default class CountingReporter extends DefaultReporter {
  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: Parameters<DefaultReporter["onTestRunEnd"]>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, unhandled, reason);
    let passed = 0;
    let failed = unhandled.length;
    const skipped = new Map<string, number>();
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") passed++;
        else if (result.state === "failed") failed++;
        else {
          const why = result.state === "skipped" ? result.note : undefined;
          const line = why ?? `${module.relativeModuleId} > ${test.fullName}: no reason given`;
          skipped.set(line, (skipped.get(line) ?? 0) + 1);
        }
      }
    }
    for (const [line, count] of skipped) this.log(`skipped ${count}: ${line}`);
    this.log(`${passed} passed, ${failed} failed`);
  }
}
