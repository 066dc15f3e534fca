import { dataDimension, integrationDimension, peopleDimension, securityDimension } from './questions-of-means.ts'
import { processesDimension, strategyDimension } from './questions-of-ends.ts'
import type { Dimension, LevelId, Localised, Question } from './model.ts'

/** Changes with every change of a question or weight. */
export const version = '2026-1'

export const title: Localised = { en: 'Digital readiness', ar: 'الجاهزية الرقمية' }

/** Labels of the values from 0 to 4. */
export const scale: readonly Localised[] = [
  { en: 'Not at all', ar: 'إطلاقًا' },
  { en: 'Rarely, by single people', ar: 'نادرًا، من أفراد' },
  { en: 'In some areas', ar: 'في بعض المجالات' },
  { en: 'In most areas', ar: 'في معظم المجالات' },
  { en: 'Everywhere, measured and improved', ar: 'في كل مكان، مع القياس والتحسين' },
]

/** The weights are together 100. */
export const dimensions: readonly Dimension[] = [
  strategyDimension,
  processesDimension,
  dataDimension,
  integrationDimension,
  peopleDimension,
  securityDimension,
]

/** Weakest first, each with its smallest score. */
export const levels: readonly { readonly id: LevelId; readonly from: number; readonly label: Localised }[] = [
  { id: 'initial', from: 0, label: { en: 'Initial', ar: 'مبتدئ' } },
  { id: 'developing', from: 25, label: { en: 'Developing', ar: 'نامٍ' } },
  { id: 'established', from: 50, label: { en: 'Established', ar: 'راسخ' } },
  { id: 'advanced', from: 75, label: { en: 'Advanced', ar: 'متقدم' } },
  { id: 'leading', from: 90, label: { en: 'Leading', ar: 'رائد' } },
]

export const questions: readonly Question[] = dimensions.flatMap((dimension) => dimension.questions)
