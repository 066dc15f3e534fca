/** More ways to prove who one is: a phone, an external identity, the address of the mail. */
export const waysIn = {
  phone: {
    title: 'Phone',
    text: 'A code by text message, for when the authenticator is not at hand. Others can take over a number; an authenticator or a passkey is safer.',
    second: 'second factor',
    signsIn: 'signs in by itself',
    endsIn: (hint: string) => `ends in ${hint}`,
    none: 'no number',
    add: 'Add a phone',
    replace: 'Change the number',
    remove: 'Remove the phone',
    removeText:
      'All other sessions end. It is refused while it is the only way in, or the only second factor of an account that demands one.',
    number: 'Number',
    numberHint: 'With its country code.',
    use: 'The code is',
    uses: { second: 'asked for in addition to the password', alone: 'a way to sign in by itself' },
    send: 'Send a code',
    code: 'Code',
    codeHint: (number: string) => `Sent to ${number}. It works for 10 minutes.`,
    confirm: 'Confirm the number',
    added: 'The number is confirmed. Other sessions have ended.',
  },
  linking: {
    link: (name: string) => `Link ${name}`,
    text: 'You sign in there once; afterwards you can sign in here by it.',
  },
  verification: {
    missing: (email: string) => `The address ${email} is not confirmed yet.`,
    resend: 'Send the mail again',
    sent: (email: string) => `A mail is on its way to ${email}.`,
    kept: 'No mail server is configured: the mail is kept in the outbox.',
  },
}
