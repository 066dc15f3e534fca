import { dx } from '@millrace/contract'
import { builtInFunctions } from '#catalog/built-in-functions.ts'
import { createAssessments, deleteAssessmentsOf, readinessHandlers } from '#modules/readiness/index.ts'
import { createTemplates } from '#modules/templates/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** Assessments of digital readiness. */
export function composeReadiness({ database, system }: FeatureParts): Feature {
  const templates = createTemplates(builtInFunctions)
  const now = () => new Date(system.now())
  const handlers = readinessHandlers({
    assessments: createAssessments({ database, now, newId: system.newId }),
    listTemplates: () => templates.list(),
  })
  return { groups: { dx: served(dx, handlers) }, purge: deleteAssessmentsOf }
}
