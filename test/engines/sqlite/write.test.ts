import { writeContract } from "../write-contract.ts";

writeContract("sqlite");
