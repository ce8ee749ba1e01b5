alter table changes add column at bigint not null default ((extract(epoch from clock_timestamp()) * 1000)::bigint);
