import { toTypeId } from '#platform/ids.ts'
import type { Connection } from './model.ts'

export function connectionView(connection: Connection) {
  const { id, name, description, settings, secretNames, state, problem, testedAt, expiresAt, revision } = connection
  return {
    id: toTypeId('conn', id),
    name,
    kind: settings.kind,
    description,
    settings,
    secretNames: [...secretNames],
    state,
    problem: problem ?? null,
    testedAt: testedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revision,
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  }
}
