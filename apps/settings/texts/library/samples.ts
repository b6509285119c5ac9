export const samples = {
  add: 'Add sample templates',
  added: (count: number) => `${count} sample templates have been added.`,
};
