/** Fills whatever form is in front of a person with values of the right kind. */
import type { Page } from 'playwright-core';

/** Every field that is empty; lists stay empty. */
export async function fillForm(page: Page): Promise<void> {
  const form = page.locator('form.rjsf');
  await form.first().waitFor();
  for (const select of await form.getByRole('combobox').all()) {
    const choices = await Promise.all((await select.locator('option').all()).map((each) => each.getAttribute('value')));
    const value = choices.find((each) => each !== null && each !== '');
    if (value) await select.selectOption(value);
  }
  for (const number of await form.getByRole('spinbutton').all()) await number.fill('12');
  for (const text of await form.getByRole('textbox').all()) {
    const type = (await text.getAttribute('type')) ?? '';
    if ((await text.inputValue()) === '') await text.fill(values[type] ?? 'Hill 7');
  }
}

/** By the type of the input. */
const values: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  email: 'someone@example.org',
  url: 'https://example.org/',
};
