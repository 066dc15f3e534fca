import { createHash } from 'node:crypto'
import * as z from 'zod'
import { normaliseEmail } from '#modules/identity/model.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { invalidValue } from './scim-fault.ts'
import { isObject } from './scim-filter.ts'
import type { ScimGroup, ScimGroupHead } from './scim-group-store.ts'
import type { ScimUser, ScimUserChange } from './scim-user-store.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** The attributes that a directory may change; `true` for lists. */
export const userAttributes = { userName: false, externalId: false, displayName: false, name: false, active: false, emails: true } as const
export const groupAttributes = { displayName: false, externalId: false, members: true } as const

export type Resource = Record<string, unknown>

/** A user as a resource of RFC 7643, section 4.1. */
export function userResource(user: ScimUser, base: string): Resource {
  const { email, name, externalId, givenName, familyName, active, role, groups } = user
  const id = toTypeId('usr', user.id)
  return versioned({
    schemas: [userSchema],
    id,
    ...(externalId === undefined ? {} : { externalId }),
    userName: email,
    ...(name === undefined ? {} : { displayName: name }),
    name: {
      ...(name === undefined ? {} : { formatted: name }),
      ...(givenName === undefined ? {} : { givenName }),
      ...(familyName === undefined ? {} : { familyName }),
    },
    active,
    emails: [{ value: email, type: 'work', primary: true }],
    roles: [{ value: role, primary: true }],
    groups: groups.map((group) => {
      const value = toTypeId('grp', group.id)
      return { value, display: group.name, $ref: `${base}/Groups/${value}` }
    }),
    meta: metaOf('User', user, `${base}/Users/${id}`),
  })
}

/** A group as a resource of RFC 7643, section 4.2. */
export function groupResource(group: ScimGroup, base: string): Resource {
  const members = group.members.map((member) => {
    const value = toTypeId('usr', member.id)
    return { value, display: member.email, type: 'User', $ref: `${base}/Users/${value}` }
  })
  return versioned(headResource(group, base, { members }))
}

/** A group without its members, and so without a version, which covers them. */
export function headResource<T extends Resource>({ name, externalId, ...group }: ScimGroupHead, base: string, more: T) {
  const id = toTypeId('grp', group.id)
  return {
    schemas: [groupSchema],
    id,
    ...(externalId === undefined ? {} : { externalId }),
    displayName: name,
    ...more,
    meta: metaOf('Group', group, `${base}/Groups/${id}`),
  }
}

const metaOf = (
  resourceType: string,
  { createdAt, updatedAt }: { readonly createdAt: Date; readonly updatedAt: Date },
  location: string,
) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
  location,
})

function versioned(resource: Resource & { readonly meta: Resource }): Resource {
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 16)
  return { ...resource, meta: { ...resource.meta, version: `W/"${digest}"` } }
}

export function versionOf(resource: Resource): string {
  const { meta } = resource
  return isObject(meta) ? String(meta['version']) : ''
}

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => (value === null || value === '' ? undefined : value))
const User = z.object({
  userName: z
    .string()
    .trim()
    .min(3)
    .max(320)
    // One address: signs that separate or name several are refused, since mail would reach all of them.
    .regex(/^[^\s\P{ASCII}\p{Cc}@,:;<>()[\]"\\]+@[A-Za-z0-9.-]+$/u),
  externalId: text(256),
  displayName: text(200),
  name: z.object({ formatted: text(200), givenName: text(200), familyName: text(200) }).nullish(),
  // Entra sends "True" and "False" unless it is asked not to.
  active: z
    .union([
      z.boolean(),
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(['true', 'false']))
        .transform((value) => value === 'true'),
    ])
    .default(true),
})

/** Reads what a directory says of a user. Attributes that Millrace does not keep are ignored. */
export function readUser(resource: unknown): ScimUserChange {
  const { success, data, error } = User.safeParse(resource)
  if (!success) throw invalidValue(reasonOf(error, 'userName must be the e-mail address of the person.'))
  const { userName, externalId, displayName, name, active } = data
  const { formatted, givenName, familyName } = name ?? {}
  const full = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  return {
    email: normaliseEmail(userName),
    name: displayName ?? formatted ?? (full === '' ? undefined : full),
    active,
    externalId,
    givenName,
    familyName,
  }
}

const membersMax = 10_000
const Group = z.object({
  displayName: z.string().trim().min(1).max(256),
  externalId: text(256),
  members: z
    .array(z.object({ value: z.string().max(100) }))
    .max(membersMax)
    .nullish(),
})

/** Reads what a directory says of a group; members as uuids. */
export function readGroup(resource: unknown): {
  readonly name: string
  readonly externalId: string | undefined
  readonly members: readonly string[]
} {
  const { success, data, error } = Group.safeParse(resource)
  if (!success) throw invalidValue(reasonOf(error, 'A group needs a displayName.'))
  const members = [...new Set((data.members ?? []).map(({ value }) => memberId(value)))]
  return { name: data.displayName, externalId: data.externalId, members }
}

function memberId(value: string): string {
  try {
    return idOf('usr', value)
  } catch {
    throw invalidValue(`There is no user ${value}.`)
  }
}

function reasonOf(error: z.ZodError | undefined, otherwise: string): string {
  const [issue] = error?.issues ?? []
  return issue === undefined ? otherwise : `${issue.path.join('.')}: ${issue.message}. ${otherwise}`
}
