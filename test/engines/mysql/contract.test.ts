import { contract } from "../contract.ts";
import { cutConnections } from "./cut-connections.ts";

contract("mysql", { slow: "sleep(60)", cut: cutConnections });
