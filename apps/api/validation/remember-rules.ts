import { getMetadataStorage } from 'class-validator';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;

/**
 * Makes class-validator look up the rules of a class only once. By default, it searches the rules of all classes on
 * each validation, which takes longer than the validation itself. The rules of a class never change, and Galley never
 * validates with a schema or with groups.
 */
export function rememberRules(): void {
  const storage = getMetadataStorage();
  const lookUp = storage.getTargetValidationMetadatas.bind(storage);
  const rulesByClass = new Map<unknown, Rules>();
  storage.getTargetValidationMetadatas = (validatedClass, ...options) => {
    let rules = rulesByClass.get(validatedClass);
    if (rules === undefined) {
      rules = lookUp(validatedClass, ...options);
      rulesByClass.set(validatedClass, rules);
    }
    return rules;
  };
}
