import { indexRanges } from "../mysql/index-ranges.ts";

indexRanges("mariadb");
