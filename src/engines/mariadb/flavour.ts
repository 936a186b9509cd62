import { raw } from "../../sql/statement.ts";
import { atLeast, type Flavour, mysqlFlavour } from "../mysql/flavour.ts";

/** MariaDB 10.2 and later: MySQL but for what stands here. */
export const mariadbFlavour: Flavour = {
  ...mysqlFlavour,
  id: "mariadb",
  recognizes: (version) => /mariadb/i.test(version),
  exactCollation: () => "utf8mb4_nopad_bin",
  printDouble: (value) => value,
  settings: (version, timeout) => [
    // Seconds, for every statement.
    ...(timeout === null ? [] : [`max_statement_time = ${timeout / 1000}`]),
    // Idle while the other side works, in a snapshot: no reason to be thrown out.
    ...(atLeast(version, [10, 3, 0]) ? ["idle_transaction_timeout = 0", "idle_readonly_transaction_timeout = 0"] : []),
    // A long list of keys stays an index range instead of becoming a join.
    ...(atLeast(version, [10, 3, 18]) ? ["in_predicate_conversion_threshold = 0"] : []),
  ],
  usableIndex: (version) => (atLeast(version, [10, 6, 0]) ? "s.ignored = 'NO'" : "1 = 1"),
  kindOf(column) {
    // JSON is LONGTEXT with a check; its spelling is kept.
    if (column.checkedJson && column.dataType === "longtext") return { kind: "json", normalized: false };
    return column.dataType === "uuid" ? { kind: "uuid" } : null;
  },
  jsonCheck: raw(
    `EXISTS (SELECT 1 FROM information_schema.check_constraints k WHERE k.constraint_schema = c.table_schema AND k.table_name = c.table_name
      AND k.check_clause = CONCAT('json_valid(\`', REPLACE(c.column_name, '\`', '\`\`'), '\`)'))`,
  ),
  // A default that is this text stands there in quotes.
  noDefault: "NULL",
  replicaStatus: () => "SHOW ALL SLAVES STATUS",
};
