import type { Part, Recorder } from './recorder.ts'
import { leafOf, type ReadReference, templateJq } from './template.ts'

/** The values of one format in jq. What is more than a reference gives null and is reported. */
export class Values {
  private readonly recorder: Recorder
  private readonly read: ReadReference

  constructor(recorder: Recorder, read: ReadReference) {
    this.recorder = recorder
    this.read = read
  }

  jq(value: unknown, part: Part, path: string): string {
    return templateJq(value, this.read, (reference) => this.unknown(part, reference, path))
  }

  leaf(value: unknown, part: Part, path: string): unknown {
    return leafOf(value, this.read, (reference) => this.unknown(part, reference, path))
  }

  unknown(part: Part, reference: string, path: string): void {
    this.recorder.find(
      part,
      'adapted',
      `{{${reference.slice(0, 100)}}} is more than a reference and gives null here. Write it in jq.`,
      path,
    )
  }
}
