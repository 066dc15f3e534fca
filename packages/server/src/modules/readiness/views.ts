import type { dx, Reply } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { ReadinessLocale, StoredAssessment } from './model.ts'
import { dimensions, levels, scale, title, version } from './questionnaire.ts'
import type { Scored } from './score.ts'

type AssessmentView = Reply<typeof dx.assess>

export function questionnaireView(locale: ReadinessLocale): Reply<typeof dx.questions> {
  return {
    version,
    locale,
    title: title[locale],
    scale: scale.map((label, value) => ({ value, label: label[locale] })),
    dimensions: dimensions.map(({ id, title: name, weight, questions }) => ({
      id,
      title: name[locale],
      weight,
      questions: questions.map((question) => ({ id: question.id, text: question.text[locale], weight: question.weight })),
    })),
    levels: levels.map(({ id, label, from }) => ({ id, label: label[locale], from })),
  }
}

/** @param titleOf the title of a template; `undefined` for one that this installation does not have */
export function assessmentView(
  scored: Scored,
  assessment: Pick<StoredAssessment, 'version' | 'createdAt'> & { readonly id: string | undefined },
  { locale, titleOf }: { readonly locale: ReadinessLocale; readonly titleOf: (template: string) => string | undefined },
): AssessmentView {
  return {
    id: assessment.id === undefined ? null : toTypeId('rda', assessment.id),
    version: assessment.version,
    score: scored.score,
    level: scored.level,
    levelLabel: levels.find(({ id }) => id === scored.level)?.label[locale] ?? scored.level,
    dimensions: scored.dimensions.map(({ id, score, answered }) => {
      const name = dimensions.find((dimension) => dimension.id === id)?.title[locale] ?? id
      return { id, title: name, score: score ?? null, answered }
    }),
    nextSteps: scored.steps.map(({ question, dimension, gain }) => ({
      question: question.id,
      dimension,
      title: question.step[locale],
      gain,
      templates: (question.templates ?? []).flatMap((id) => {
        const templateTitle = titleOf(id)
        return templateTitle === undefined ? [] : [{ id, title: templateTitle }]
      }),
    })),
    createdAt: assessment.createdAt.toISOString(),
  }
}

/** @param latest newest first */
export function trendView(latest: readonly StoredAssessment[]): Reply<typeof dx.history>['trend'] {
  const points = latest.map(({ createdAt, score }) => ({ at: createdAt.toISOString(), score })).toReversed()
  const [first, last] = [points.at(0), points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return null
  const change = last.score - first.score
  return { direction: change > 0 ? 'up' : change < 0 ? 'down' : 'level', change, points }
}
