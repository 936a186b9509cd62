import { contract } from "../contract.ts";

// Nothing cancels a statement that runs on our own thread, and there is no server whose administrator could cut us off.
contract("sqlite", { slow: null, cut: null });
