import fc from "fast-check";
import { expect, test } from "vitest";
import { InterruptedError } from "../../src/domain/errors.ts";
import { Turns } from "../../src/engines/turns.ts";

/** What is done with the turns: asked for at once, asked for with patience, given back. */
const steps = fc.array(fc.constantFrom("now", "wait", "back"), { maxLength: 60 });

test("never are more turns out than there are, none is lost, and who waits is served in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (limit, done) => {
      const turns = new Turns(limit);
      const served: number[] = [];
      let asked = 0;
      let out = 0;
      for (const step of done) {
        if (step === "now") out += turns.takeNow() ? 1 : 0;
        else if (step === "wait") {
          const mine = asked++;
          void turns.take().then(() => served.push(mine));
        } else if (out + served.length > 0) {
          turns.giveBack();
          out--;
        }
        await new Promise((resolve) => setImmediate(resolve));
        const held = out + served.length;
        expect(turns.free).toBe(limit - held);
        expect(turns.waiting).toBe(asked - served.length);
        if (turns.waiting > 0) expect(turns.free).toBe(0);
      }
      expect(served).toEqual(served.map((_, i) => i));
    }),
  );
});

test("a turn that is given back goes to who waits, not to who asks at that moment", async () => {
  const turns = new Turns(1);
  expect(turns.takeNow()).toBe(true);
  const waiting = turns.take();
  turns.giveBack();
  expect(turns.takeNow()).toBe(false);
  await waiting;
});

test("the end refuses who waits and who comes later, and turns may still be given back", async () => {
  const turns = new Turns(1);
  await turns.take();
  const waiting = [turns.take(), turns.take()];
  turns.end();
  for (const ended of await Promise.allSettled([...waiting, turns.take()]))
    expect(ended.status === "rejected" && ended.reason).toBeInstanceOf(InterruptedError);
  expect(() => turns.takeNow()).toThrow(InterruptedError);
  turns.giveBack();
  expect([turns.free, turns.waiting, turns.ended]).toEqual([1, 0, true]);
});
