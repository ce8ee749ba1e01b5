type Values = Record<string, unknown>

/**
 * What somebody had typed when the session ended under them: kept in this tab under their id, without passwords, and offered
 * again after they have logged in. Nobody else gets to see it.
 */
export interface Draft {
  userId: string
  /** Where the form was. */
  href: string
  /** Which form. */
  form: string
  /** What its screen needs to open the dialog that it was in, if it was in one. */
  dialog: OpenDialog | null
  values: Values
  /** What the form was filled with: what has been seen of what is stored. */
  defaults: Values
}

interface OpenDialog {
  screen: string
  content: unknown
}

interface LiveForm {
  name: string
  isDirty: () => boolean
  values: () => Values
  defaults: () => Values
}

const KEY = 'draft'
const liveForms = new Set<LiveForm>()
let openDialog: OpenDialog | null = null

/** @returns how to take it off the list again */
export function registerForm(form: LiveForm): () => void {
  liveForms.add(form)
  return () => liveForms.delete(form)
}

export function setOpenDialog(dialog: OpenDialog | null): void {
  openDialog = dialog
}

/** For who leaves of their own accord: what is on the screen is given up. */
export function forgetForms(): void {
  liveForms.clear()
  sessionStorage.removeItem(KEY)
}

/** Whether something typed would be lost with this page. */
export function hasDirtyForm(): boolean {
  return findDirtyForm() !== undefined
}

function findDirtyForm(): LiveForm | undefined {
  return [...liveForms].find((candidate) => candidate.isDirty())
}

export function keepDraft(userId: string, href: string): void {
  const form = findDirtyForm()
  if (!form) return
  const [values, defaults] = [form.values(), form.defaults()].map(withoutPasswords) as [Values, Values]
  const draft: Draft = { userId, href, form: form.name, dialog: openDialog, values, defaults }
  sessionStorage.setItem(KEY, JSON.stringify(draft))
}

function withoutPasswords(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes('password')))
}

export function readDraft(userId: string): Draft | null {
  const text = sessionStorage.getItem(KEY)
  const draft = text === null ? null : (JSON.parse(text) as Draft)
  return draft?.userId === userId ? draft : null
}

export function discardDraft(): void {
  sessionStorage.removeItem(KEY)
}

type Listener = (draft: Draft) => void
const listeners = new Set<Listener>()
let restoring: Draft | null = null

/**
 * Puts a draft back where it was: its screen opens the dialog, its form takes the values. It is kept until then: the dialog's
 * code may not come.
 */
export function restoreDraft(draft: Draft): void {
  restoring = draft
  for (const listener of listeners) listener(draft)
}

/** The form has taken the values. */
export function finishRestoring(): void {
  discardDraft()
  restoring = null
}

/** The form does not come, or whoever typed the values is gone: no other form may take them. */
export function stopRestoring(): void {
  restoring = null
}

/** Calls back when a draft is being put back, also when that began before. */
export function onRestore(listener: Listener): () => void {
  listeners.add(listener)
  if (restoring) listener(restoring)
  return () => listeners.delete(listener)
}
