import { particulars } from "./particulars.ts";

particulars("mysql");
