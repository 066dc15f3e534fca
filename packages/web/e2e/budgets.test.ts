import { expect, test } from 'vitest'
import { buildWeb, distOfWeb } from '#build/build-web.ts'
import { pageSizes } from './page-sizes.ts'

/** Thousands of bytes of script, compressed. A page that needs more loads the rest when a person turns to it, or the figure is raised with a reason. */
const limits: Readonly<Record<string, number>> = { 'sign-in': 83, frame: 164, 'list of workflows': 172, run: 234, editor: 304 }
const editorWithWorkers = 512
/** Each file is a request; those that every page loads are grouped in build/chunks.ts. */
const scriptsMax: Readonly<Record<string, number>> = { 'sign-in': 18, frame: 14 }

test('no page loads more script, or the frame and the sign-in more files of it, than its budget', async () => {
  await buildWeb()
  const sizes = await pageSizes(distOfWeb)
  const over = Object.entries(sizes).filter(([name, { script }]) => script > (limits[name] ?? 0) * 1000)
  expect(over, JSON.stringify(sizes)).toEqual([])
  const tooMany = Object.entries(sizes).filter(([name, { scripts }]) => scripts > (scriptsMax[name] ?? Infinity))
  expect(tooMany).toEqual([])
  expect(sizes.editor.script + sizes.editor.worker).toBeLessThan(editorWithWorkers * 1000)
})
