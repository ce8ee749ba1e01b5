import { flag, rowId } from '@/lib/search-params'

export const apiTokenDialogs = { create_token: flag, delete_token: rowId }
