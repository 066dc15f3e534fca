import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import { featureUses } from '#src/features/features-needed.ts'
import { type OptionalFeature, lackOf } from '#src/features/optional-features.ts'
import type { Json } from '#src/json.ts'
import type { ParsedDefinition } from '#src/parse/parse-definition.ts'
import { type Finding, toDiagnostic } from './facts.ts'

/**
 * The parts of a document that need features which are lacking, as `unsupported_feature` in the order of the text; none of a text that cannot be
 * read.
 *
 * It serves drafts that cannot run yet: `validateDefinition` with `lacking` refuses them.
 */
export function unsupportedParts({ document, positions }: ParsedDefinition, lacking: readonly OptionalFeature[]): readonly Diagnostic[] {
  if (document === undefined) return []
  return inOrder(lackingFeatures(document, lacking).map((finding) => toDiagnostic(positions, finding)))
}

/** A finding for each use of a feature that is lacking. */
export function lackingFeatures(document: Json, lacking: readonly OptionalFeature[]): Finding[] {
  if (lacking.length === 0) return []
  const lacks = new Set(lacking)
  return featureUses(document)
    .filter(({ feature }) => lacks.has(feature))
    .map(({ feature, path, at }) => ({ code: 'unsupported_feature', path, at, ...lackOf(feature) }))
}
