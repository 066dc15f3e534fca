import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import type { OptionalFeature } from '#src/features/optional-features.ts'
import type { ParsedDefinition } from '#src/parse/parse-definition.ts'
import { lackingFindings } from './lacking-findings.ts'
import { toDiagnostic } from './to-diagnostic.ts'

/**
 * What keeps a document from running where these features are lacking, as `unsupported_feature` in the order of the text; nothing of a text that
 * cannot be read.
 *
 * For whoever keeps drafts that cannot run yet: `validateDefinition` with `lacking` refuses them.
 */
export function unsupportedParts({ document, positions }: ParsedDefinition, lacking: readonly OptionalFeature[]): readonly Diagnostic[] {
  if (document === undefined) return []
  return inOrder(lackingFindings(document, lacking).map((finding) => toDiagnostic(positions, finding)))
}
