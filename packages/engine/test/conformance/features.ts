import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConformanceData, conformanceData } from '@millrace/jq/testing/conformance.ts'
import { parseFeature, type Scenario } from './gherkin.ts'

const own = fileURLToPath(new URL('./own/', import.meta.url))
/** The scenarios of a folder, file by file. */
function scenariosIn(folder: string): readonly Scenario[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.feature'))
    .toSorted()
    .flatMap((name) => parseFeature(readFileSync(join(folder, name), 'utf8')))
}

export const ownScenarios = scenariosIn(own)
/** What becomes of the official examples. */
export const exampleScenarios = scenariosIn(fileURLToPath(new URL('./', import.meta.url)))

/** The scenarios of the official conformance kit. */
export function kitScenarios(data: ConformanceData): readonly Scenario[] {
  return data.list('ows', '.feature').flatMap((name) => parseFeature(data.read(`ows/${name}`)))
}

export function exampleNames(data: ConformanceData): readonly string[] {
  return data.list('ows/examples', '.yaml')
}

/** For sentences of scenarios that name an official example. */
export function exampleText(name: string): string {
  return conformanceData().read(`ows/examples/${name}`)
}

/** Sentences that ask for the clock to be moved, or that look at more than how an execution ends. */
const ofMemoryAlone =
  /should have completed, in|should have been started|should (?:not )?have run|should have been skipped|should have taken|should be waiting| passes$|should run (?:first|last|after)/
/** A second or more, scripts without end, and the clock of a run in memory. */
const longOrDated = /\bPT?\d*[1-9][\d.]*[DHMS]|PT\\\(|for \(;;\)|2030-01-02/

/** Whether a scenario means the same where time is real: it does not wait, and asks for nothing but how the execution ends. */
export function isTimeless({ steps }: Scenario): boolean {
  if (!steps.some(({ text }) => text === 'the workflow is executed')) return false
  return !steps.some(({ text, block = '' }) => ofMemoryAlone.test(text) || longOrDated.test(text) || longOrDated.test(block))
}

export function labelOf({ feature, name }: Scenario): string {
  return `${feature}: ${name}`
}

/** What the reference of the language has a heading for, by the anchor that leads to it. */
export function referenceAnchors(data: ConformanceData): readonly string[] {
  const text = data.read('ows/dsl-reference.md').replaceAll(/```[\s\S]*?```/g, '')
  const titles = [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) => title.trim())
  return [...new Set(titles.map(anchorOf))]
}

/** As the host of the specification makes anchors of headings. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')
}
