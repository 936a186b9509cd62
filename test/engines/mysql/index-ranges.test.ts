import { indexRanges } from "./index-ranges.ts";

indexRanges("mysql");
