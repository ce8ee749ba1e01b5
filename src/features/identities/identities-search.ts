import { rowId } from '@/lib/search-params'

export const identityDialogs = { delete_identity: rowId }
