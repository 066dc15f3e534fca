import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'

const Locale = z.enum(['en', 'ar'])
const Level = z.enum(['initial', 'developing', 'established', 'advanced', 'leading'])
const DimensionId = z.enum(['strategy', 'processes', 'data', 'integration', 'people', 'security'])

const localeQuery = Locale.optional().describe('Language of the texts; `Accept-Language` unless given, English otherwise.')

const Questionnaire = z
  .object({
    version: z.string().describe('Send it with the answers.'),
    locale: Locale,
    title: z.string(),
    scale: z.array(z.object({ value: z.int(), label: z.string() })).describe('The values that answer every question, weakest first.'),
    dimensions: z.array(
      z.object({
        id: DimensionId,
        title: z.string(),
        weight: z.int().describe('Part of the score in per cent; all together are 100.'),
        questions: z.array(z.object({ id: z.string(), text: z.string(), weight: z.int().describe('Within the dimension.') })),
      }),
    ),
    levels: z.array(z.object({ id: Level, label: z.string(), from: z.int().describe('Smallest score of the level.') })),
  })
  .meta({ id: 'ReadinessQuestionnaire' })

const Step = z.object({
  question: z.string(),
  dimension: DimensionId,
  title: z.string().describe('What to do next.'),
  gain: z.int().describe('Points that the score gains when this question reaches the highest value.'),
  templates: z.array(z.object({ id: z.string(), title: z.string() })).describe('Templates of this installation to begin with.'),
})

const Assessment = z
  .object({
    id: typeId('rda').nullable().describe('Null if it was not stored.'),
    version: z.string(),
    score: z.int().describe('From 0 to 100.'),
    level: Level,
    levelLabel: z.string(),
    dimensions: z.array(
      z.object({
        id: DimensionId,
        title: z.string(),
        score: z.int().nullable().describe('From 0 to 100; null if none of its questions applies.'),
        answered: z.int(),
      }),
    ),
    nextSteps: z.array(Step).describe('At most six, the most valuable first.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ReadinessAssessment' })

const questions = operation({
  id: 'dx.questions',
  method: 'GET',
  path: '/api/v1/dx/questions',
  summary: 'Read the questions about digital readiness',
  description:
    'Six dimensions with four or more questions each. Every question is answered by a value of `scale`, or by null if it does not apply.',
  stability: 'beta',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'none',
  query: z.strictObject({ locale: localeQuery }),
  reply: Questionnaire,
  errors: [],
})

const assess = operation({
  id: 'dx.assess',
  method: 'POST',
  path: '/api/v1/dx/assessment',
  summary: 'Assess digital readiness',
  description: 'Scores the answers. The assessment of a caller who is signed in is stored (`id`); one without a credential is not.',
  stability: 'beta',
  auth: 'public',
  optionalCredential: true,
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({
    version: z
      .string()
      .min(1)
      .max(20)
      .meta({ description: '`version` of the questions.', examples: ['2026-1'] }),
    answers: z.record(z.string().max(60), z.int().min(0).max(4).nullable()).meta({
      description: 'A value from 0 to 4 for each question, by its id; null if it does not apply.',
      examples: [{ 'strategy.goals': 2, 'strategy.budget': null }],
    }),
    locale: localeQuery,
  }),
  reply: Assessment,
  errors: [],
})

const history = operation({
  id: 'dx.history',
  method: 'GET',
  path: '/api/v1/dx/assessment',
  summary: 'List the own assessments with their trend',
  stability: 'beta',
  auth: { scope: 'readiness:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({ ...listQuery, locale: localeQuery }),
  reply: listPage(Assessment).extend({
    trend: z
      .object({
        direction: z.enum(['up', 'down', 'level']),
        change: z.int().describe('Points between the first and the latest of `points`.'),
        points: z.array(z.object({ at: z.iso.datetime(), score: z.int() })).describe('The latest assessments, oldest first; at most 12.'),
      })
      .nullable()
      .describe('Null before the second assessment.'),
  }),
  errors: [],
})

/** Digital readiness: questions, assessment, history. */
export const dx = { questions, assess, history } as const
