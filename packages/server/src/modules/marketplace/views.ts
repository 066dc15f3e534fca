import { permissionsView } from '#modules/workflows/index.ts'
import { rawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { definitionSchemaOf } from './input-schema.ts'
import type { Entry, EntryDetails, Report } from './model.ts'
import type { Facet } from './public-store.ts'

export function entryView({ id, title, summary, author, category, tags, licence, version, ...entry }: Entry) {
  return {
    id: toTypeId('mkt', id),
    title,
    summary,
    author,
    category,
    tags: [...tags],
    licence,
    version,
    rating: entry.ratingCount === 0 ? null : meanOf(entry.ratingSum, entry.ratingCount),
    ratings: entry.ratingCount,
    imports: entry.importCount,
    createdAt: entry.createdAt.toISOString(),
    updatedAt: entry.updatedAt.toISOString(),
  }
}

export function detailsView({ entry, version, releases }: EntryDetails) {
  return {
    ...entryView(entry),
    state: entry.state,
    reason: entry.reason ?? null,
    readme: version.readme,
    drawing: version.drawing,
    permissions: permissionsView(version.permissions),
    parameters: version.parameters.map(({ name, kind, description, required, example }) => ({
      name,
      kind,
      description,
      required,
      example,
    })),
    inputSchema: definitionSchemaOf(version.json),
    definition: rawJson(version.json),
    definitionText: version.source,
    checksum: version.checksum,
    releases: releases.map((release) => ({ ...release, publishedAt: release.publishedAt.toISOString() })),
  }
}

export function reportView({ id, entryId, title, reason, detail, createdAt }: Report) {
  return { id: toTypeId('mkr', id), entryId: toTypeId('mkt', entryId), title, reason, detail, createdAt: createdAt.toISOString() }
}

export function facetsView(facets: readonly Facet[]) {
  const of = (wanted: Facet['facet']) =>
    facets
      .filter(({ facet }) => facet === wanted)
      .map(({ name, count }) => ({ name, count }))
      .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
  return { categories: of('categories'), licences: of('licences'), tags: of('tags') }
}

/** A mean with two decimals. */
export function meanOf(sum: number, count: number): number {
  return Math.round((sum / count) * 100) / 100
}
