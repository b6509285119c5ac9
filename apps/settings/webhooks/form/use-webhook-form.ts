import { useForm, type UseFormReturnType } from '@mantine/form';
import { fieldErrorsOf } from '../../controls/validation.js';
import { words } from './texts.js';
import { findRepeatedHeader, type WebhookValues } from './webhook-values.js';

export type WebhookForm = UseFormReturnType<WebhookValues>;

const { problems } = words;

export function useWebhookForm(initialValues: WebhookValues): WebhookForm {
  return useForm<WebhookValues>({
    initialValues,
    // The form checks only these rules and leaves all others to the API, so that the two never disagree.
    validate: {
      url: (url) => (url.trim() === '' ? problems.urlMissing : null),
      events: (events) => (events.length === 0 ? problems.eventsMissing : null),
      headers: (rows) => {
        const name = findRepeatedHeader(rows);
        return name === undefined ? null : problems.headerRepeated(name);
      },
    },
  });
}

/** Shows validation errors at their fields. Returns the error if it does not belong to a field. */
export function showFieldErrors(form: WebhookForm, error: Error): Error | null {
  const errors = fieldErrorsOf(error);
  // The API's message is about an array or null, but the form has a text field with one id on each line.
  if ('resourceIds' in errors) errors['resourceIds'] = problems.resourceIdsInvalid;
  form.setErrors(errors);
  focusFirstProblem(form, errors);
  const isShown = Object.keys(errors).some((field) => field in form.values);
  return isShown ? null : error;
}

export function focusFirstProblem(form: WebhookForm, errors: Record<string, unknown>): void {
  const [field] = Object.keys(form.values).filter((name) => errors[name] != null);
  const input = field === undefined ? null : form.getInputNode(field);
  input?.focus({ preventScroll: true });
  // Scrolls the input to the middle, because the page header covers the top of the window.
  input?.scrollIntoView({ block: 'center' });
}
