import { type Answers, type Dimension, type DimensionId, type LevelId, type Question, valueMax } from './model.ts'
import { dimensions, levels } from './questionnaire.ts'

export interface Scored {
  /** From 0 to 100. */
  readonly score: number
  readonly level: LevelId
  readonly dimensions: readonly DimensionScore[]
  /** The most valuable first. */
  readonly steps: readonly NextStep[]
}

export interface DimensionScore {
  readonly id: DimensionId
  /** `undefined` if none of its questions applies. */
  readonly score: number | undefined
  readonly answered: number
}

export interface NextStep {
  readonly question: Question
  readonly dimension: DimensionId
  readonly gain: number
}

const stepsMax = 6

/**
 * Scores answers: the weighted mean of the applicable questions of each dimension, and the weighted mean of the applicable dimensions.
 * Fractions are kept as integers until the one rounding at the end, half up.
 */
export function scoreAnswers(answers: Answers): Scored {
  const applicable = dimensions.map((dimension) => applicableOf(dimension, answers)).filter(({ weights }) => weights > 0)
  const total = applicable.reduce((sum, { dimension }) => sum + dimension.weight, 0)
  // Over the common denominator of all dimensions, so that nothing is lost.
  const denominator = applicable.reduce((product, { weights }) => product * weights * valueMax, 1)
  const numerator = applicable.reduce(
    (sum, { dimension, points, weights }) => sum + (dimension.weight * points * denominator) / (weights * valueMax),
    0,
  )
  const score = total === 0 ? 0 : roundHalfUp(100 * numerator, denominator * total)
  const steps = applicable.flatMap(({ dimension, weights }) =>
    dimension.questions.flatMap((question) => {
      const missing = valueMax - (answers[question.id] ?? valueMax)
      const gain = roundHalfUp(100 * dimension.weight * question.weight * missing, total * weights * valueMax)
      return missing === 0 ? [] : [{ question, dimension: dimension.id, gain }]
    }),
  )
  return {
    score,
    level: levels.findLast(({ from }) => from <= score)?.id ?? 'initial',
    dimensions: dimensions.map((dimension) => dimensionScore(dimension, answers)),
    steps: steps.toSorted((a, b) => b.gain - a.gain).slice(0, stepsMax),
  }
}

function applicableOf(dimension: Dimension, answers: Answers) {
  const questions = dimension.questions.filter(({ id }) => typeof answers[id] === 'number')
  return {
    dimension,
    answered: questions.length,
    weights: questions.reduce((sum, { weight }) => sum + weight, 0),
    points: questions.reduce((sum, { id, weight }) => sum + weight * (answers[id] ?? 0), 0),
  }
}

function dimensionScore(dimension: Dimension, answers: Answers): DimensionScore {
  const { answered, weights, points } = applicableOf(dimension, answers)
  return { id: dimension.id, answered, score: weights === 0 ? undefined : roundHalfUp(100 * points, weights * valueMax) }
}

function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}
