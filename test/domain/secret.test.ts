import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, Secret } from "../../src/domain/secret.ts";

describe("a secret", () => {
  const secret = new Secret("postgres://reader:opensesame@host/db");

  it("prints as *** however it is printed", () => {
    const seen = [
      String(secret),
      [secret].join(" "),
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: [secret] }, { showHidden: true }),
      Object.values(secret).join(),
      JSON.stringify(Object.entries(secret)),
    ];
    expect(seen.join(" ")).not.toMatch(/opensesame|reader/);
    expect(inspect({ secret })).toBe("{ secret: *** }");
  });

  it("tells its value to the one who asks for it", () => {
    expect(secret.reveal()).toBe("postgres://reader:opensesame@host/db");
  });
});

describe("redaction", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["the URL whole", "postgres://u:pw12@h/db", "cannot reach postgres://u:pw12@h/db now", "cannot reach *** now"],
    ["the password as written", "postgres://u:open%40sesame@h/db", "bad: open%40sesame.", "bad: ***."],
    ["the password decoded", "postgres://u:open%40sesame@h/db", "bad: open@sesame.", "bad: ***."],
    ["a password that should have been encoded", "mysql://u:p@ss#word@h/db", "using p@ss#word", "using ***"],
    ["a password in a URL that does not parse", "postgres://u:letmein@h1:1,h2:2/db", "letmein", "***"],
    [
      "a password among the parameters",
      "postgres://h/db?user=u&password=hunter22",
      "password hunter22",
      "password ***",
    ],
    [
      "the path of a webhook",
      "https://hooks.slack.com/services/T0/B0/abcdefghijklmnop",
      "POST /services/T0/B0/abcdefghijklmnop failed",
      "POST *** failed",
    ],
    [
      "the key of a webhook",
      "https://hooks.slack.com/services/T0/B0/abcdefghijklmnop",
      "no team for abcdefghijklmnop",
      "no team for ***",
    ],
    ["a key that is no URL", "s3cret-key", "signed with s3cret-key", "signed with ***"],
  ];
  it.each(cases)("takes out %s", (_, value, text, clean) => {
    expect(redact(text, [new Secret(value)])).toBe(clean);
  });

  it("leaves a database's name, host and user, and a file's path", () => {
    const text = "reader@db.example/sales and sqlite:/tmp/state.db";
    expect(
      redact(text, [new Secret("postgres://reader:opensesame@db.example/sales"), new Secret("sqlite:/tmp/state.db")]),
    ).toBe(text);
  });

  it("takes a very short password out only where it stands alone", () => {
    expect(redact("a cat said: a", [new Secret("postgres://u:a@h/db")])).toBe("*** cat said: ***");
  });

  it("lets no short password spoil a longer one that begins like it", () => {
    const secrets = [new Secret("postgres://u:open@h/db"), new Secret("postgres://u:opensesame@h/db")];
    expect(redact("wrong: opensesame", secrets)).toBe("wrong: ***");
  });

  it("does not stumble over an empty secret", () => {
    expect(redact("nothing", [new Secret("")])).toBe("nothing");
  });

  it("leaves no password of four letters or more in any text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (password, before, after) => {
        fc.pre(!"***".includes(password) && !before.includes(password) && !after.includes(password));
        const secret = new Secret(`postgres://u:${encodeURIComponent(password)}@h/db`);
        // What stands around it may make the password anew only out of its own letters; *** parts them.
        fc.pre(!password.includes("*"));
        expect(redact(`${before}${password}${after}`, [secret])).not.toContain(password);
      }),
    );
  });
});
