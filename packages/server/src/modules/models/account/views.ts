import { toTypeId } from '#platform/ids.ts'
import type { AccountModel } from './account-model.ts'

export function accountModelView(found: AccountModel) {
  const { id, roles, prices, region, problem, testedAt, createdAt, updatedAt, ...rest } = found
  return {
    ...rest,
    id: toTypeId('mdl', id),
    roles: [...roles],
    prices: prices === undefined ? null : { ...prices },
    region: region ?? null,
    problem: problem ?? null,
    testedAt: testedAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
