-- Nearly all entries have the result `done`, so an index does not help to find them. Others are in `audit_failed`.
drop index audit_result;

drop index audit_action_result;
