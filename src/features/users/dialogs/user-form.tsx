import type { ReactNode } from 'react'
import type { Control } from 'react-hook-form'
import * as z from 'zod/mini'
import type { UserCreate, UserPublic } from '@/client/types.gen'
import { CheckboxField } from '@/components/form/checkbox-field'
import { NewPasswordFields } from '@/components/form/new-password-fields'
import { TextField } from '@/components/form/text-field'
import { toBody } from '@/lib/to-body'
import {
  confirmation,
  editableName,
  email,
  fullName,
  matching,
  optionalPassword,
  password,
} from '@/lib/validation/rules'

const profile = {
  email: email(),
  full_name: fullName(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
} satisfies Record<Exclude<keyof UserCreate, 'password'>, z.ZodMiniType>

export const newUserSchema = z
  .object({ ...profile, password: password(), confirm_password: confirmation('Please confirm your password') })
  .check(matching('password'))

/** An empty password keeps the old one. */
export const editedUserSchema = z
  .object({ ...profile, password: optionalPassword(), confirm_password: z.string() })
  .check(matching('password', { isRequired: false }))

export type UserValues = z.infer<typeof newUserSchema>

export const emptyUser = {
  email: '',
  full_name: '',
  password: '',
  confirm_password: '',
  is_superuser: false,
  is_active: false,
}

export const userLabels: Record<keyof typeof profile, string> = {
  email: 'Email',
  full_name: 'Full Name',
  is_superuser: 'Is superuser?',
  is_active: 'Is active?',
}

export function toUserValues(user: UserPublic): UserValues {
  const { full_name, is_superuser, is_active } = user
  return {
    email: user.email,
    full_name: editableName(full_name),
    password: '',
    confirm_password: '',
    is_superuser,
    is_active,
  }
}

export function toUserBody<Values extends Partial<UserValues>>(values: Values) {
  const { confirm_password, ...body } = toBody(values, { nullable: ['full_name'] })
  return body
}

interface UserFieldsProps {
  control: Control<UserValues>
  passwordRequired: boolean
  /** Shown below the password. */
  children?: ReactNode
}

export function UserFields({ control, passwordRequired, children }: UserFieldsProps) {
  return (
    <>
      <TextField control={control} name="email" label={userLabels.email} type="email" autoComplete="off" required />
      <TextField control={control} name="full_name" label={userLabels.full_name} autoComplete="off" />
      <NewPasswordFields
        control={control}
        names={['password', 'confirm_password']}
        labels={['Password', 'Confirm Password']}
        required={passwordRequired}
      />
      {children}
      <CheckboxField control={control} name="is_superuser" label={userLabels.is_superuser} />
      <CheckboxField control={control} name="is_active" label={userLabels.is_active} />
    </>
  )
}
