import { givenRoles } from '@millrace/contract/roles'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import type { Provider } from '#src/pages/team/provider.ts'

type Role = (typeof givenRoles)[number]

/** The fields about new people, which both kinds of providers have. */
export function provisioningFields(): readonly FieldSpec[] {
  const s = m.signInWays
  const [defaultRole, byGroup] = roleFields()
  return [
    { name: 'provision', label: s.provision, kind: 'switch', hint: s.provisionHint },
    defaultRole,
    { name: 'roleClaim', label: s.roleClaim, placeholder: 'groups', hint: s.roleClaimHint },
    byGroup,
  ]
}

/** The fields about the roles of new people. */
export function roleFields() {
  const s = m.signInWays
  return [
    { name: 'defaultRole', label: s.defaultRole, kind: 'select', options: givenRoles.map((role) => [role, m.team.roles[role]] as const) },
    { name: 'roles', label: s.roles, kind: 'code', rows: 4, hint: s.rolesHint, placeholder: 'platform-team = admin' },
  ] as const satisfies readonly FieldSpec[]
}

/** What the fields show of a provider. */
export function provisioningOf(provider: Provider | undefined) {
  return {
    provision: provider?.provision ?? true,
    defaultRole: provider?.defaultRole ?? 'member',
    roleClaim: provider?.roleClaim ?? '',
    roles: rolesText(provider?.roles ?? {}),
  }
}

/** Roles by group as lines. */
export function rolesText(byGroup: Readonly<Record<string, Role>>): string {
  return Object.entries(byGroup)
    .map(([value, role]) => `${value} = ${role}`)
    .join('\n')
}

/** The members of a request that the fields give. */
export function provisioningBody({ provision, defaultRole, roleClaim, roles: text }: ReturnType<typeof provisioningOf>) {
  return {
    provision,
    defaultRole,
    roles: rolesOf(text),
    ...(roleClaim.trim() === '' ? {} : { roleClaim: roleClaim.trim() }),
  }
}

/** Reads lines of roles by group. */
export function rolesOf(text: string): Record<string, Role> {
  const entries = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.lastIndexOf('=')
      const role = givenRoles.find((one) => one === line.slice(at + 1).trim())
      if (at < 1 || role === undefined) throw new Error(m.signInWays.rolesWrong(line.trim()))
      return [line.slice(0, at).trim(), role] as const
    })
  return Object.fromEntries(entries)
}
