import { contract } from "../contract.ts";

contract("postgres", {
  prepare: `
    create type tm_vector_mood as enum ('b c', 'a');
    create domain tm_vector_domain as varchar(20) check (value <> '');
  `,
  slow: "pg_sleep(60)",
  // Until they are gone: the signal alone would leave a moment in which the next statement still succeeds.
  cut: async (database) =>
    await database.run(`do $$ begin
      while (select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'tidemark-test') > 0 loop
        perform pg_sleep(0.01);
        perform pg_stat_clear_snapshot();
      end loop;
    end $$`),
});
