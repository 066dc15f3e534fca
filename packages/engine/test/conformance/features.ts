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
/** The expected results of the official examples. */
export const exampleScenarios = scenariosIn(fileURLToPath(new URL('./', import.meta.url)))

/** The scenarios of the official conformance kit. */
export function kitScenarios(data: ConformanceData): readonly Scenario[] {
  return data.list('ows', '.feature').flatMap((name) => parseFeature(data.read(`ows/${name}`)))
}

export function exampleNames(data: ConformanceData): readonly string[] {
  return data.list('ows/examples', '.yaml')
}

/** The text of an official example. */
export function exampleText(name: string): string {
  return conformanceData().read(`ows/examples/${name}`)
}

/** Steps that move the clock, or check more than the end of an execution. */
const ofMemoryAlone =
  /should have completed, in|should have been started|should (?:not )?have run|should have been skipped|should have taken|should be waiting| passes$|should run (?:first|last|after)/
/** Durations of a second or more, endless scripts, and the date of the fake clock. */
const longOrDated = /\bPT?\d*[1-9][\d.]*[DHMS]|PT\\\(|for \(;;\)|2030-01-02/

/** Whether a scenario has the same result in real time: it does not wait, and checks only the end of the execution. */
export function isTimeless({ steps }: Scenario): boolean {
  if (!steps.some(({ text }) => text === 'the workflow is executed')) return false
  return !steps.some(({ text, block = '' }) => ofMemoryAlone.test(text) || longOrDated.test(text) || longOrDated.test(block))
}

export function labelOf({ feature, name }: Scenario): string {
  return `${feature}: ${name}`
}

/** The anchors of all headings in the language reference. */
export function referenceAnchors(data: ConformanceData): readonly string[] {
  const text = data.read('ows/dsl-reference.md').replaceAll(/```[\s\S]*?```/g, '')
  const titles = [...text.matchAll(/^#{2,6} (.+)$/gm)].map(([, title = '']) => title.trim())
  return [...new Set(titles.map(anchorOf))]
}

/** The anchor that GitHub generates for a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')
}
