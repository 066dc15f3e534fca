/** The fields of the input of a workflow. */
export const inputFields = {
  inputFields: {
    text: 'The fields that start forms and Run ask for. A start that does not fit them is refused.',
    kinds: {
      text: 'text',
      lines: 'long text',
      email: 'mail address',
      url: 'web address',
      number: 'number',
      integer: 'whole number',
      yesNo: 'yes or no',
      date: 'date',
      dateTime: 'date and time',
      choice: 'one of',
      file: 'file',
    },
    explanation: 'Explanation',
    limits: {
      minimum: 'At least',
      maximum: 'At most',
      maxLength: 'Characters at most',
      problems: {
        number: () => 'This is not a number.',
        count: () => 'This must be a whole number above 0.',
        crossed: () => 'This is less than the number for “At least”, so that no value would fit.',
        isLong: (length: number) => `A text has at most ${length} characters. Choose the kind “long text” for more.`,
        isShort: (length: number) => `A long text may have more than ${length} characters. Choose the kind “text” for fewer.`,
      },
    },
    more: (keywords: string) => `The text says more of it: ${keywords}.`,
    beyond: 'Its schema says more than a row can show.',
    allBeyond: 'The input has a schema that fields cannot show.',
    toText: 'Show in the text',
    taken: (name: string) => `Another field is named ${name}.`,
    oneChoice: 'At least one is needed.',
    change: 'Fields of the input',
  },
}
