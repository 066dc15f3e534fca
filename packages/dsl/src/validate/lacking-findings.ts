import { featureUses } from '#src/features/features-needed.ts'
import { type OptionalFeature, lackOf } from '#src/features/optional-features.ts'
import type { Json } from '#src/json.ts'
import type { Finding } from './facts.ts'

/** What a document needs that an installation lacks, each with its place. */
export function lackingFindings(document: Json, lacking: readonly OptionalFeature[]): Finding[] {
  if (lacking.length === 0) return []
  const lacks = new Set(lacking)
  return featureUses(document)
    .filter(({ feature }) => lacks.has(feature))
    .map(({ feature, path, at }) => ({ code: 'unsupported_feature', path, at, ...lackOf(feature) }))
}
