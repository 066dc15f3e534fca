/** Starts by a page that people fill in. */
export const startForms = {
  startForms: {
    form: 'Form',
    about:
      'A page that anyone with its address can fill in, without an account. Its fields are those of the input schema of the published workflow.',
    title: 'Title of the page',
    titleHint: 'Left empty, the title of the input schema, or else the name.',
    description: 'Text above the fields',
    button: 'Text of the button',
    buttonShown: 'Send',
    thanks: 'Text after it was sent',
    zoneHint: 'Of the times that people fill in.',
    mappingHint: 'Left empty, it gets the fields as they were filled in. Otherwise .body has them.',
    address: 'Address of the form',
    addressHint: 'Anyone who knows it can send the form. Pass it on, or print it.',
    localOnly: [
      'Only this computer can open this address. The operator sets',
      'to the address that others reach, such as https://millrace.example.com.',
    ],
    copy: 'Copy the address',
    open: 'Open the form',
    howTo: 'Pass on the form',
    ready: 'The form is ready',
    broken: 'The form cannot be shown',
  },
}
