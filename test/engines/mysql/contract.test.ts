import { contract } from "../contract.ts";
import { cutConnections } from "./cut-connections.ts";

contract("mysql", {
  // MySQL's own mode refuses zero dates.
  prepare: "set session sql_mode = 'STRICT_TRANS_TABLES'",
  slow: "sleep(60)",
  cut: cutConnections,
});
