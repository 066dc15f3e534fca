export type ReadinessLocale = 'en' | 'ar'
export type DimensionId = 'strategy' | 'processes' | 'data' | 'integration' | 'people' | 'security'
export type LevelId = 'initial' | 'developing' | 'established' | 'advanced' | 'leading'

/** A text in every language. */
export type Localised = Readonly<Record<ReadinessLocale, string>>

export interface Question {
  readonly id: string
  readonly text: Localised
  /** What to do while the answer is weak. */
  readonly step: Localised
  /** Within its dimension. */
  readonly weight: 1 | 2 | 3
  /** Ids of templates that help with the step. */
  readonly templates?: readonly string[]
}

export interface Dimension {
  readonly id: DimensionId
  readonly title: Localised
  /** In per cent of the score. */
  readonly weight: number
  readonly questions: readonly Question[]
}

export const valueMax = 4

/** By the id of the question; `null` where it does not apply. */
export type Answers = Readonly<Record<string, number | null>>

export interface StoredAssessment {
  readonly id: string
  readonly version: string
  readonly score: number
  readonly answers: Answers
  readonly createdAt: Date
}
