/** The input of a run, and forms that a JSON Schema describes. */
export const runInput = {
  runInput: {
    tryDraft: 'Try this draft',
    tryIt: 'Try it',
    tryText: (version: number | null) =>
      `Every step runs for real, as it is drawn now. ${version === null ? '' : `What starts by itself keeps running version ${version}. `}Variables and secrets are those for drafts.`,
    bySchema: 'What the workflow takes, by its input schema.',
    noSchema:
      'The workflow declares no input and takes any JSON. Add fields under Input, beside the flow, and this becomes a form that checks what is typed.',
    anySchema: 'JSON; the input schema of the workflow checks it.',
    last: 'As in the last run from this device, without secrets.',
    useExample: 'Use the example',
    useReads: 'Fill in what it reads',
    empty: 'Empty it',
    restore: 'Restore what the run had',
    maskedValue: 'This run started with a mask in place of the value, which is not kept here. Type the value: a mask is not sent.',
    tooLarge: 'The whole input is too large to change here. The retry starts with it as it is.',
    asJson: 'As JSON',
    asForm: 'As a form',
    jsonHint: 'An object, such as { "name": "Ada" }.',
  },
  notGiven: {
    by: {
      input: 'The workflow reads what this input does not give:',
      start: 'The workflow reads what this start does not give:',
    },
    step: (name: string) => `step ${name}`,
    advice: {
      input: 'It gets null there.',
      start: 'Add it to the input or to the mapping, or give the step a default, such as .name // "none".',
    },
  },
  schemaForm: {
    choose: 'choose',
    notGiven: 'not given',
    needed: 'This is needed.',
    number: 'This is not a number.',
    integer: 'This must be a whole number.',
    least: (limit: number) => `This must be ${limit} or more.`,
    most: (limit: number) => `This must be ${limit} or less.`,
    longer: (length: number) => (length === 1 ? 'This is needed.' : `This must have at least ${length} characters.`),
    shorter: (length: number) => `This must have at most ${length} characters.`,
    email: 'This is not a mail address such as name@example.com.',
    year: (first: number, last: number) => `The year must be from ${first} to ${last}.`,
    url: 'This is not a URL. It begins with https:// or another scheme.',
    pattern: 'This does not have the expected form.',
    list: 'This must be a list: [ … ].',
    object: 'This must be an object: { … }.',
  },
}
