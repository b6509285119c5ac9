import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts.js';
import classes from './lists.module.css';

interface FilterBarProps {
  isFiltered: boolean;
  onClear: () => void;
  /** The filters, as labelled inputs. */
  children: ReactNode;
}

/** The filters above a list, and the button that clears them. */
export function FilterBar({ isFiltered, onClear, children }: FilterBarProps) {
  return (
    <section aria-label={texts.common.filters} className={classes['filters']}>
      {children}
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          {texts.common.clearFilters}
        </Button>
      )}
    </section>
  );
}

interface FilterTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
}

// Longer than the pause between two keystrokes, and shorter than the pause between two words.
const DELAY_MS = 300;

/** A text filter that takes effect when the user stops typing. */
export function FilterText({ value, onChange, ...props }: FilterTextProps) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const report = useDebouncedCallback((typedText: string) => {
    setLastValue(typedText);
    onChange(typedText);
  }, DELAY_MS);
  // Something else has changed the URL: the user went back, or cleared the filters.
  if (value !== lastValue) {
    setLastValue(value);
    setText(value);
  }
  return (
    <TextInput
      type="search"
      {...props}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value.trim());
      }}
    />
  );
}
