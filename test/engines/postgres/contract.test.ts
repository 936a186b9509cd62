import { contract } from "../contract.ts";

contract("postgres", {
  prepare: `
    create type tm_vector_mood as enum ('b c', 'a');
    create domain tm_vector_domain as varchar(20) check (value <> '');
  `,
  slow: "pg_sleep(60)",
  cut: async (database) =>
    await database.run(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'tidemark-test'",
    ),
});
