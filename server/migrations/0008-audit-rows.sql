-- The details of an entry about a row begin with its id: server/audit/queries.ts
create index audit_row on audit (substr(details, 1, 44), at);
