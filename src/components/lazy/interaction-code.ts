// What people see only after a press or an event: docs/decisions/0019-what-loads-when.md.
export { Confirm, ConfirmDialog } from '../dialog/confirm-dialog'
export { LeftSheet } from '../dialog/dialog'
export { FilterSheet } from '../dialog/filter-sheet'
export { SelectionBar } from '../list/selection-bar'
export { RadixMenu } from '../menu/radix-menu'
export { Toaster } from '../ui/toaster'
