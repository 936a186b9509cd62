import { writeContract } from "../write-contract.ts";

writeContract(
  "postgres",
  `create type tm_vector_mood as enum ('b c', 'a');
   create domain tm_vector_domain as varchar(20) check (value <> '');`,
);
