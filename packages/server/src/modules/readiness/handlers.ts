import { type dx, Fault } from '@millrace/contract'
import type { HandlersFor, RequestContext } from '#platform/http/index.ts'
import { escapePointer } from '#platform/json-pointer.ts'
import { preferredLocale } from '#platform/mail/templates/preferred-locale.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Assessments } from './assessment-service.ts'
import type { Answers, ReadinessLocale } from './model.ts'
import { questions, version } from './questionnaire.ts'
import { scoreAnswers } from './score.ts'
import { assessmentView, questionnaireView, trendView } from './views.ts'

export interface ReadinessDeps {
  readonly assessments: Assessments
  readonly listTemplates: () => Promise<readonly { readonly id: string; readonly title: string }[]>
}

/** Handlers of the group `dx`. */
export function readinessHandlers({ assessments, listTemplates }: ReadinessDeps): HandlersFor<typeof dx> {
  async function texts(locale: ReadinessLocale) {
    const titles = new Map((await listTemplates()).map(({ id, title }) => [id, title]))
    return { locale, titleOf: (template: string) => titles.get(template) }
  }

  return {
    async questions(ctx, { query }) {
      return questionnaireView(localeOf(ctx, query.locale))
    },
    async assess(ctx, { body }) {
      const answers = readAnswers(body)
      const scored = scoreAnswers(answers)
      const assessed = await assessments.add(ctx.principal, scored.score, answers)
      return assessmentView(scored, assessed, await texts(localeOf(ctx, body.locale)))
    },
    async history(ctx, { query: { cursor, limit, locale } }) {
      const { tx, accountId, userId } = ctx
      const found = await assessments.list(tx, accountId, userId, { before: decodeId(cursor), limit: limit + 1 })
      const latest = await assessments.latest(tx, accountId, userId)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      const named = await texts(localeOf(ctx, locale))
      // Scored as it was then: weights may have changed since.
      const views = data.map((stored) => assessmentView({ ...scoreAnswers(stored.answers), score: stored.score }, stored, named))
      return { data: views, nextCursor, trend: trendView(latest) }
    },
  }
}

function localeOf(ctx: RequestContext, chosen: ReadinessLocale | undefined): ReadinessLocale {
  return chosen ?? preferredLocale(ctx.acceptLanguage)
}

/** Fault `request_invalid` that names every question without an answer and every answer without a question. */
function readAnswers({ version: given, answers }: { readonly version: string; readonly answers: Answers }): Answers {
  if (given !== version)
    throw new Fault('request_invalid', {
      errors: [{ pointer: '/version', detail: `The current version of the questions is ${version}. Read them again.` }],
    })
  const known = new Set(questions.map(({ id }) => id))
  const unknown = Object.keys(answers).filter((id) => !known.has(id))
  const missing = [...known].filter((id) => answers[id] === undefined)
  const errors = [
    ...unknown.map((id) => ({
      pointer: `/answers/${escapePointer(id)}`,
      detail: 'Is not a question of this version.',
    })),
    ...missing.map((id) => ({
      pointer: `/answers/${id}`,
      detail: 'Is missing. Send a value from 0 to 4, or null if the question does not apply.',
    })),
  ]
  if (errors.length > 0) throw new Fault('request_invalid', { errors: errors.slice(0, 100) })
  if (Object.values(answers).every((value) => value === null))
    throw new Fault('request_invalid', { errors: [{ pointer: '/answers', detail: 'At least one question must apply.' }] })
  return answers
}
