/** Colours by name, light and dark: text at 4.5 : 1 and marks at 3 : 1 against their ground, or more. */
export const LIGHT = {
  ground: "#ffffff",
  panel: "#f6f8fa",
  ink: "#1b1f24",
  dim: "#57606a",
  rule: "#d0d7de",
  grid: "#e6eaee",
  link: "#0757ba",
  pass: "#116329",
  warn: "#7d4e00",
  fail: "#a40e26",
  info: "#0757ba",
  clock: "#0757ba",
  wall: "#57606a",
  run: "#9ec5ee",
  "run-edge": "#2c6cb0",
  unseen: "#fbf3dc",
  dead: "#c4293a",
  band: "#fbe3e4",
  lost: "#8e0b1c",
  "key-missing": "#a40e26",
  "key-stale": "#a3560a",
  "key-changed": "#7a3aa8",
  "key-ahead": "#0757ba",
  "key-extra": "#3f6b1c",
} as const;
export const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  ground: "#0d1117",
  panel: "#161b22",
  ink: "#e6edf3",
  dim: "#a1abb6",
  rule: "#3d444d",
  grid: "#21262d",
  link: "#79b8ff",
  pass: "#56d364",
  warn: "#e3b341",
  fail: "#ff8a84",
  info: "#79b8ff",
  clock: "#79b8ff",
  wall: "#a1abb6",
  run: "#1f4a7a",
  "run-edge": "#6fa8dc",
  unseen: "#2a2413",
  dead: "#ff7b72",
  band: "#3a1a1d",
  lost: "#ffa19b",
  "key-missing": "#ff8a84",
  "key-stale": "#f0a35e",
  "key-changed": "#d2a8ff",
  "key-ahead": "#79b8ff",
  "key-extra": "#8fd460",
};

const variables = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");

/** The same names with the light colours, and the dark ones where the reader's device is dark. Paper is light. */
const COLOURS = `:root{color-scheme:light dark;${variables(LIGHT)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(DARK)}}}`;

const DRAWING = `
.chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--ink);unicode-bidi:isolate}
.chart.narrow text{font-size:11px}
.chart .paper{fill:var(--ground)}
.chart text.title{font-size:15px}
.chart .plot{fill:none;stroke:var(--rule)}
.chart .grid line{stroke:var(--grid)}
.chart .tick text,.chart text.tick,.chart text.axis,.chart .rail text{fill:var(--dim)}
.chart .tick text.day{fill:var(--ink);font-weight:600}
.chart .unseen{fill:var(--unseen)}
.chart .wall{stroke:var(--wall);stroke-width:1.6;stroke-dasharray:6 4}
.chart .label{fill:var(--dim)}
.chart .label,.chart .clock-name,.chart .measure text{paint-order:stroke;stroke:var(--ground);stroke-width:3.5px;stroke-linejoin:round}
.chart .run{stroke:var(--run-edge);stroke-width:1.2}
.chart .run:not(.failed){fill:var(--run)}
.chart .run.empty:not(.failed){fill:var(--ground)}
.chart .run.failed{stroke:var(--ink)}
.chart .run.running:not(.failed){fill:none;stroke-dasharray:3 3}
.chart .run.backfill{stroke-dasharray:7 2}
.chart .hatch-ground{fill:var(--ground)}
.chart .hatch{stroke:var(--ink);stroke-width:2.4}
.chart .dead{stroke:var(--dead);stroke-width:.8}
.chart .dead.lost{stroke-width:1.8}
.chart .dead-ground{fill:var(--band)}
.chart .dead-hatch{stroke:var(--dead);stroke-width:1.6}
.chart .band{fill:var(--band)}
.chart .band-name{fill:var(--lost);paint-order:stroke;stroke:var(--band);stroke-width:4px;stroke-linejoin:round}
.chart .clock{fill:none;stroke:var(--clock);stroke-width:2.6;stroke-linejoin:round}
.chart .clock-name{fill:var(--clock);font-weight:600}
.chart .mark{stroke:var(--clock);stroke-width:1.6;fill:var(--clock)}
.chart .mark.inferred{fill:var(--ground)}
.chart .lost-dot{fill:var(--lost);stroke:var(--ground);stroke-width:1.5}
.chart .ring{fill:var(--ground);stroke:var(--lost);stroke-width:2}
.chart .wait{stroke:var(--lost);stroke-width:1.4;stroke-dasharray:2 3}
.chart .measure path{fill:none;stroke:var(--lost);stroke-width:1.4}
.chart .measure text,.chart .rail .lost text{fill:var(--lost);font-weight:600}
.chart .focus{fill:none;stroke:var(--ink);stroke-width:1.4}
.chart .strip-base{stroke:var(--rule)}
${["missing", "stale", "changed", "ahead", "extra"].map((kind) => `.chart .key-${kind}{fill:var(--key-${kind})}`).join("\n")}
.chart .lag{fill:var(--run-edge)}
.chart .overlap line{stroke:var(--ink);stroke-width:2}
.chart .overlap text{font-weight:600;paint-order:stroke;stroke:var(--ground);stroke-width:4px}
.chart .overlap.force line{stroke:var(--lost)}
.chart .overlap.needed line{stroke:var(--dim);stroke-dasharray:4 3}
.chart .overlap.advised line{stroke:var(--pass)}
.chart .history{fill:var(--dim)}
.chart .history.v-fail{fill:var(--dead)}
.chart .hover{fill:none;pointer-events:all}
.chart .letter{font-weight:700}
.chart .letter.v-pass{fill:var(--pass)}
.chart .letter.v-warn{fill:var(--warn)}
.chart .letter.v-fail,.chart .letter.v-incomplete{fill:var(--fail)}
`;

/** What a picture that stands alone as a file needs. */
export const DRAWING_STYLE = COLOURS + DRAWING;

const PAGE = `
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main,.top,.foot{max-width:1040px;margin:0 auto;padding:0 20px}
.top{padding-top:24px}
h1{font-size:1.55rem;line-height:1.25;margin:0 0 4px}
h2{font-size:1.3rem;margin:0;line-height:1.3}
h3{font-size:1.02rem;margin:28px 0 6px}
p{margin:6px 0}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,pre:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.dim{color:var(--dim)}
.scroll{overflow-x:auto}
table{overflow-wrap:break-word;border-collapse:collapse;width:100%;font-size:.93rem;margin:10px 0}
th,td{text-align:left;padding:6px 18px 6px 0;border-bottom:1px solid var(--rule);vertical-align:top}
th{font-weight:600;color:var(--dim)}
td.t{white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.verdict{display:inline-block;font-weight:700;white-space:nowrap}
.verdict.pass{color:var(--pass)}.verdict.warn{color:var(--warn)}.verdict.fail,.verdict.incomplete{color:var(--fail)}
.check{border-top:3px solid var(--rule);margin-top:34px;padding-top:18px}
.head{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:baseline}
.why{font-size:1.06rem;border-left:4px solid var(--fail);padding:4px 0 4px 14px;margin:14px 0}
.why.warn{border-color:var(--warn)}.why.pass{border-color:var(--pass)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:4px;padding:0 7px;font-size:.86rem;font-weight:600}
.badge.pass{color:var(--pass)}.badge.warn{color:var(--warn)}.badge.fail,.badge.incomplete{color:var(--fail)}
figure{margin:10px 0 0}
figcaption{font-size:.93rem;color:var(--ink)}
.chart{display:block;width:100%;height:auto}
.narrow{display:none}
.legend{display:flex;flex-wrap:wrap;gap:5px 20px;list-style:none;margin:8px 0 0;padding:0;font-size:.88rem;color:var(--dim)}
.legend li{display:flex;gap:7px;align-items:center}
.legend svg{flex:none;width:26px;height:16px}
details{margin:10px 0}
summary{cursor:pointer;color:var(--link);width:fit-content}
.finding{border:1px solid var(--rule);border-left-width:5px;border-radius:6px;padding:10px 14px;margin:12px 0;break-inside:avoid}
.finding.error{border-left-color:var(--fail)}.finding.warn{border-left-color:var(--warn)}.finding.info{border-left-color:var(--info)}.finding.recovered{border-left-color:var(--pass)}
.finding h4{margin:0;font-size:1rem;display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline}
.sev.error{color:var(--fail)}.sev.warn{color:var(--warn)}.sev.info,.sev.accepted{color:var(--info)}.sev.recovered{color:var(--pass)}
.says{font-size:1.02rem}
dl{display:grid;grid-template-columns:6.2em 1fr;gap:3px 12px;margin:8px 0;font-size:.93rem}
dt{color:var(--dim)}
dd{margin:0;min-width:0}
pre{background:var(--panel);border:1px solid var(--rule);border-radius:6px;padding:8px 12px;margin:8px 0 2px;font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;user-select:all}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
.note{font-size:.88rem;color:var(--dim)}
.foot{margin-top:40px;padding-bottom:40px;border-top:1px solid var(--rule);font-size:.88rem;color:var(--dim)}
@media (max-width:620px){body{font-size:16px}main,.top,.foot{padding-left:12px;padding-right:12px}.wide{display:none}.narrow{display:block}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:6px}th,td{padding-right:8px}.lesser{display:none}}
@media print{body{font-size:11pt}.check + .check{break-before:page}figure,.finding{break-inside:avoid}a{color:inherit;text-decoration:none}}
`;

/** The style sheet of every page. */
export const PAGE_STYLE = COLOURS + PAGE + DRAWING;
