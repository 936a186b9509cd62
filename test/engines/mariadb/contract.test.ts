import { contract } from "../contract.ts";
import { cutConnections } from "../mysql/cut-connections.ts";

contract("mariadb", { slow: "sleep(60)", cut: cutConnections });
