import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexPage } from "../../../src/reporters/html/index-page.ts";
import { html } from "../../../src/reporters/html.ts";
import { auditedCheck } from "../../../src/state/audited-check.ts";
import { hourly, type Scene, sceneOf } from "../../support/scenes.ts";
import { story } from "../../support/story.ts";
import { findingOf, PIPE, reportOf } from "../reports.ts";

const EXECUTABLE = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== "" && existsSync(path));

const EVIL = `"><script>globalThis.harmed = true</script><img src=x onerror="globalThis.harmed = true">'&\u202eשלום עולם`;

/** Everything that a page may have to show, and a check whose every text means harm. */
function scenes(): readonly Scene[] {
  const point = { rows: { "missing-rows": 3 }, findings: { error: 1, warn: 0, info: 0, recovered: 0 }, streak: 3 };
  const history = Array.from({ length: 60 }, (_, n) => ({
    ...point,
    startedAt: `2026-05-01T01:00:0${n % 10}.000Z`,
    verdict: (["pass", "warn", "fail", "incomplete"] as const)[n % 4] ?? "pass",
  }));
  const told = sceneOf("story", story());
  const runs = (story().runs ?? []).map((run) => ({ ...run, id: `${run.id}${EVIL}` }));
  const harm = sceneOf(EVIL, { ...story(), runs }, EVIL);
  const finding = findingOf({
    says: EVIL,
    columns: [EVIL],
    sample: [{ key: { [EVIL]: EVIL } }],
    fix: `tidemark repair ${EVIL}`,
  });
  return [
    { ...told, detail: { ...told.detail, history } },
    sceneOf("healed", story(false)),
    sceneOf(
      "hours",
      hourly(24 * 20, (id) => id % 31 === 7 || id === 400, 133),
    ),
    sceneOf("plain", { rows: story().rows, runs: null, arrived: [1, 2, 3] }),
    { ...harm, report: { ...harm.report, findings: [...harm.report.findings, finding] } },
  ];
}

const skip =
  EXECUTABLE === undefined ? " (skipped: no Chromium here; apt-get install chromium, or name one in CHROMIUM)" : "";

describe.skipIf(EXECUTABLE === undefined)(`in a browser${skip}`, () => {
  let browser: Browser;
  let folder: string;
  const said: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tidemark-page-"));
    const all = scenes();
    const report = reportOf(...all.map((scene) => scene.report));
    const details = new Map(all.map((scene) => [scene.report.check, scene.detail]));
    writeFileSync(join(folder, "report.html"), html(report, { ...PIPE, details }));
    const checks = report.checks.map((check) => ({
      ...auditedCheck(check),
      startedAt: report.started_at,
      page: "report.html",
      badge: null,
      before: ["pass", "fail"] as const,
    }));
    writeFileSync(join(folder, "index.html"), indexPage({ checks, madeAt: report.finished_at }));
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? "", args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page that is watched: what it says to the console, and whom it asks for anything. */
  async function open(name: string, width: number, colorScheme: "light" | "dark"): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const url = pathToFileURL(join(folder, name)).href;
    page.on("console", (message) => void said.push(message.text()));
    page.on("pageerror", (error) => void said.push(String(error)));
    page.on("request", (request) => {
      if (request.url() !== url && !request.url().startsWith("data:")) asked.push(request.url());
    });
    await page.goto(url);
    // What is folded away must hold as well.
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    return page;
  }

  test.each([
    ["report.html", 1100, "light"],
    ["report.html", 1100, "dark"],
    ["report.html", 380, "light"],
    ["index.html", 380, "dark"],
    ["index.html", 1100, "light"],
  ] as const)("%s at %i pixels, %s: fits, is quiet, and every text can be read", async (name, width, scheme) => {
    const page = await open(name, width, scheme);
    try {
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await page.evaluate("globalThis.harmed ?? document.querySelectorAll('script, img').length")).toBe(0);
      expect(await page.evaluate(SMALL_OR_PALE)).toEqual([]);
      expect(await page.evaluate(OUTSIDE)).toEqual([]);
      expect(await page.evaluate(OVERLAPPING)).toEqual([]);
      expect(await page.evaluate(NAMELESS)).toEqual([]);
    } finally {
      await page.close();
    }
    expect(said).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("dark differs from light, and paper is always light", async () => {
    const page = await open("report.html", 1100, "dark");
    const ground = "getComputedStyle(document.body).backgroundColor";
    const dark = await page.evaluate(ground);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect([dark, await page.evaluate(ground)]).toEqual(["rgb(13, 17, 23)", "rgb(255, 255, 255)"]);
    await page.close();
  });

  test("a click on a command takes all of it, and nothing else", async () => {
    const page = await open("report.html", 1100, "light");
    const command = page.locator("article pre").first();
    await command.click();
    expect(await page.evaluate("String(getSelection()).trim()")).toBe((await command.textContent())?.trim());
    await page.close();
  });
});

/** Texts in pictures and beside them below 10 pixels, or with less than 4.5 to 1 against the page: `text: why`. */
const SMALL_OR_PALE = `(() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (text) => {
    const [r, g, b] = rgb(text).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const of = node.parentElement;
    if (node.textContent.trim() === "" || of.closest("title, desc, style") || !of.checkVisibility()) continue;
    const style = getComputedStyle(of);
    const svg = of.closest("svg");
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    const ink = light(svg ? style.fill : style.color);
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (parseFloat(style.fontSize) * scale < 10) found.push(node.textContent + ": " + parseFloat(style.fontSize) * scale + " px");
    if (contrast < 4.5) found.push(node.textContent + ": " + contrast.toFixed(2) + " to 1");
  }
  return found;
})()`;

/** Texts that leave their picture. */
const OUTSIDE = `[...document.querySelectorAll("svg text")].filter((text) => {
  if (!text.checkVisibility()) return false;
  const [a, b] = [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect()];
  return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1;
}).map((text) => text.textContent)`;

/** Pairs of upright texts of one picture that lie upon each other. */
const OVERLAPPING = `[...document.querySelectorAll("svg")].flatMap((svg) => {
  if (!svg.checkVisibility()) return [];
  const all = [...svg.querySelectorAll("text:not([transform])")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return all.flatMap(([one, a], i) => all.slice(i + 1).flatMap(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return across > 1.5 && down > 4 ? [one + " | " + other] : [];
  }));
})`;

/** Pictures, regions and sections without a name, and tables without heads. */
const NAMELESS = `[...document.querySelectorAll('svg:not([aria-hidden]), [role="region"], section[aria-labelledby], article')].filter((each) => {
  const ids = each.getAttribute("aria-labelledby")?.split(" ") ?? [];
  const name = (each.getAttribute("aria-label") ?? "") + ids.map((id) => document.getElementById(id)?.textContent ?? "").join("");
  return name.trim() === "" || (each.localName === "svg" && each.getAttribute("role") !== "img");
}).map((each) => each.outerHTML.slice(0, 80)).concat([...document.querySelectorAll("table")].filter((table) => !table.querySelector("th[scope]")).map(() => "a table without heads"))`;
