/** What of a server changes the SQL that is written for it. */
export type ServerTraits = {
  /** As `server_version_num` counts: 150004 is 15.4. */
  readonly version: number;
  /** Whether the database stores UTF-8, so that lengths and hashes over its own bytes are those over UTF-8. */
  readonly utf8: boolean;
};
